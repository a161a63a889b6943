mod cuda_host;
mod lazy_driver;
mod place;
mod ptx;
