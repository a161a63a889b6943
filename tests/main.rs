mod cuda_host;
mod lazy_driver;
