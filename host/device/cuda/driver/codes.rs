//! The driver's error codes: NVIDIA's names for them (`CUresult` in `cuda.h`), and which of them end a context.

/// The call did what it says.
pub const SUCCESS: u32 = 0;
/// An allocation did not fit.
pub const OUT_OF_MEMORY: u32 = 2;
/// The driver has shut down, at the end of the program.
pub const DEINITIALIZED: u32 = 4;
/// The driver shows no GPU; also what every call answers where there is no driver.
pub const NO_DEVICE: u32 = 100;
/// The driver is older than the PTX text.
pub const UNSUPPORTED_PTX_VERSION: u32 = 222;
/// A launch asks for more than the GPU has left.
pub const LAUNCH_OUT_OF_RESOURCES: u32 = 701;
/// What a call answers that the loaded driver lacks.
pub const NOT_SUPPORTED: u32 = 801;
/// The driver's kernel module and its library differ in version.
pub const SYSTEM_DRIVER_MISMATCH: u32 = 803;

macro_rules! names {
    ($($code:literal $name:literal)*) => {
        /// NVIDIA's name for an error code.
        pub fn name(code: u32) -> &'static str {
            match code {
                $($code => concat!("CUDA_ERROR_", $name),)*
                _ => "an error code that this version of warpseq does not know",
            }
        }
    };
}

names! {
    1 "INVALID_VALUE" 2 "OUT_OF_MEMORY" 3 "NOT_INITIALIZED" 4 "DEINITIALIZED" 5 "PROFILER_DISABLED"
    6 "PROFILER_NOT_INITIALIZED" 7 "PROFILER_ALREADY_STARTED" 8 "PROFILER_ALREADY_STOPPED" 34 "STUB_LIBRARY"
    36 "CALL_REQUIRES_NEWER_DRIVER" 46 "DEVICE_UNAVAILABLE" 100 "NO_DEVICE" 101 "INVALID_DEVICE"
    102 "DEVICE_NOT_LICENSED" 200 "INVALID_IMAGE" 201 "INVALID_CONTEXT" 202 "CONTEXT_ALREADY_CURRENT" 205 "MAP_FAILED"
    206 "UNMAP_FAILED" 207 "ARRAY_IS_MAPPED" 208 "ALREADY_MAPPED" 209 "NO_BINARY_FOR_GPU" 210 "ALREADY_ACQUIRED"
    211 "NOT_MAPPED" 212 "NOT_MAPPED_AS_ARRAY" 213 "NOT_MAPPED_AS_POINTER" 214 "ECC_UNCORRECTABLE"
    215 "UNSUPPORTED_LIMIT" 216 "CONTEXT_ALREADY_IN_USE" 217 "PEER_ACCESS_UNSUPPORTED" 218 "INVALID_PTX"
    219 "INVALID_GRAPHICS_CONTEXT" 220 "NVLINK_UNCORRECTABLE" 221 "JIT_COMPILER_NOT_FOUND" 222 "UNSUPPORTED_PTX_VERSION"
    223 "JIT_COMPILATION_DISABLED" 224 "UNSUPPORTED_EXEC_AFFINITY" 225 "UNSUPPORTED_DEVSIDE_SYNC" 226 "CONTAINED"
    300 "INVALID_SOURCE" 301 "FILE_NOT_FOUND" 302 "SHARED_OBJECT_SYMBOL_NOT_FOUND" 303 "SHARED_OBJECT_INIT_FAILED"
    304 "OPERATING_SYSTEM" 400 "INVALID_HANDLE" 401 "ILLEGAL_STATE" 402 "LOSSY_QUERY" 500 "NOT_FOUND" 600 "NOT_READY"
    700 "ILLEGAL_ADDRESS" 701 "LAUNCH_OUT_OF_RESOURCES" 702 "LAUNCH_TIMEOUT" 703 "LAUNCH_INCOMPATIBLE_TEXTURING"
    704 "PEER_ACCESS_ALREADY_ENABLED" 705 "PEER_ACCESS_NOT_ENABLED" 708 "PRIMARY_CONTEXT_ACTIVE"
    709 "CONTEXT_IS_DESTROYED" 710 "ASSERT" 711 "TOO_MANY_PEERS" 712 "HOST_MEMORY_ALREADY_REGISTERED"
    713 "HOST_MEMORY_NOT_REGISTERED" 714 "HARDWARE_STACK_ERROR" 715 "ILLEGAL_INSTRUCTION" 716 "MISALIGNED_ADDRESS"
    717 "INVALID_ADDRESS_SPACE" 718 "INVALID_PC" 719 "LAUNCH_FAILED" 720 "COOPERATIVE_LAUNCH_TOO_LARGE"
    721 "TENSOR_MEMORY_LEAK" 800 "NOT_PERMITTED" 801 "NOT_SUPPORTED" 802 "SYSTEM_NOT_READY" 803 "SYSTEM_DRIVER_MISMATCH"
    804 "COMPAT_NOT_SUPPORTED_ON_DEVICE" 805 "MPS_CONNECTION_FAILED" 806 "MPS_RPC_FAILURE" 807 "MPS_SERVER_NOT_READY"
    808 "MPS_MAX_CLIENTS_REACHED" 809 "MPS_MAX_CONNECTIONS_REACHED" 810 "MPS_CLIENT_TERMINATED" 811 "CDP_NOT_SUPPORTED"
    812 "CDP_VERSION_MISMATCH" 900 "STREAM_CAPTURE_UNSUPPORTED" 901 "STREAM_CAPTURE_INVALIDATED"
    902 "STREAM_CAPTURE_MERGE" 903 "STREAM_CAPTURE_UNMATCHED" 904 "STREAM_CAPTURE_UNJOINED"
    905 "STREAM_CAPTURE_ISOLATION" 906 "STREAM_CAPTURE_IMPLICIT" 907 "CAPTURED_EVENT"
    908 "STREAM_CAPTURE_WRONG_THREAD" 909 "TIMEOUT" 910 "GRAPH_EXEC_UPDATE_FAILURE" 911 "EXTERNAL_DEVICE"
    912 "INVALID_CLUSTER_SIZE" 913 "FUNCTION_NOT_LOADED" 914 "INVALID_RESOURCE_TYPE"
    915 "INVALID_RESOURCE_CONFIGURATION" 916 "KEY_ROTATION" 999 "UNKNOWN"
}

/// Whether this error makes the context unusable: NVIDIA says of these that every later call fails too, until the process is
/// started again.
pub fn is_sticky(code: u32) -> bool {
    matches!(code, DEINITIALIZED | 214 | 220 | 226 | 700 | 702 | 709 | 710 | 714..=719 | 721 | 810 | 911 | 999)
}

/// What the user can do about an error, as the end of a message.
pub fn advice(code: u32) -> &'static str {
    match code {
        46 => "another program uses this GPU alone: wait for it, choose another GPU, or run with --device cpu",
        214 | 220 => "the GPU has an uncorrectable hardware error: see `nvidia-smi -q`, and use another GPU",
        702 => "the system stopped a kernel that ran too long: use a GPU without a display, or run with --device cpu",
        _ if is_sticky(code) => "the CUDA context is unusable: run again, and if that fails too, run with --device cpu",
        _ => "run with --device cpu to compute without the GPU",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_the_names_of_the_header() {
        assert_eq!(name(OUT_OF_MEMORY), "CUDA_ERROR_OUT_OF_MEMORY");
        assert_eq!(name(UNSUPPORTED_PTX_VERSION), "CUDA_ERROR_UNSUPPORTED_PTX_VERSION");
        assert_eq!(name(700), "CUDA_ERROR_ILLEGAL_ADDRESS");
        assert_eq!(name(NOT_SUPPORTED), "CUDA_ERROR_NOT_SUPPORTED");
        assert!(!name(123_456).starts_with("CUDA_ERROR"));
    }

    #[test]
    fn names_agree_with_the_header_that_cust_carries() {
        use cust::sys::cudaError_enum as header;
        for code in [
            header::CUDA_ERROR_INVALID_PTX,
            header::CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
            header::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
            header::CUDA_ERROR_HARDWARE_STACK_ERROR,
            header::CUDA_ERROR_INVALID_PC,
            header::CUDA_ERROR_LAUNCH_FAILED,
            header::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
            header::CUDA_ERROR_EXTERNAL_DEVICE,
            header::CUDA_ERROR_UNKNOWN,
        ] {
            assert_eq!(name(code as u32), format!("{code:?}"));
        }
    }

    #[test]
    fn faults_of_kernels_are_sticky_and_refusals_are_not() {
        for code in [700, 714, 715, 716, 717, 718, 719, 999] {
            assert!(is_sticky(code), "{code}");
        }
        for code in [1, OUT_OF_MEMORY, 222, 500, 600, 701, 720, NOT_SUPPORTED] {
            assert!(!is_sticky(code), "{code}");
        }
    }
}
