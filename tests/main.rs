mod lazy_driver;
