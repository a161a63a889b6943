//! The CUDA host layer on a real GPU: memory, copies, launches, times, and what is left after a kernel's fault.
//!
//! The kernel is a few lines of PTX, so that this needs no compiler for the GPU. Without a GPU the tests say "skipped";
//! `WARPSEQ_REQUIRE_GPU=1` makes that a failure.

use cuda_std::{GlobalMut, Kernel, Shape};
use std::process::Command;
use std::sync::Arc;
use warpseq::array::DeviceArray;
use warpseq::cuda::{Cuda, Image, MachineCode, Opening, Ptx};
use warpseq::error::DeviceError;
use warpseq::gpu::Gpu;
use warpseq::pinned::Pinned;
use warpseq::stream::Stream;

/// Adds its index to each word.
#[derive(Clone, Copy)]
#[repr(C)]
struct Words<'a> {
    words: GlobalMut<'a, u32>,
}

const ADD_INDEX: Kernel<fn(Words)> = Kernel::new("add_index", |_| ());
const ABSENT: Kernel<fn(Words)> = Kernel::new("absent", |_| ());

static PTX: [Ptx; 2] = [MODULE, Ptx { floor: 999, text: "for no GPU", ..MODULE }];
static BROKEN: [Ptx; 1] = [Ptx { text: ".version 7.0\n.target sm_75\n.address_size 64\nnonsense\n", ..MODULE }];
/// Machine code for every GPU, which none runs.
static REFUSED: [Ptx; 1] = [Ptx { machine_code: &NO_CODE, ..MODULE }];
static NO_CODE: [MachineCode; 6] = [
    MachineCode { architecture: 70, image: NO_IMAGE },
    MachineCode { architecture: 80, image: NO_IMAGE },
    MachineCode { architecture: 90, image: NO_IMAGE },
    MachineCode { architecture: 100, image: NO_IMAGE },
    MachineCode { architecture: 110, image: NO_IMAGE },
    MachineCode { architecture: 120, image: NO_IMAGE },
];
/// The head of an ELF file without sections, for a machine that there is not.
static NO_IMAGE: &Image<[u8]> = &Image([
    0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0xff, 0xff, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 56, 0, 0, 0, 64, 0, 0, 0, 0, 0,
]);

const MODULE: Ptx = Ptx { kernels: "", floor: 75, text: TEXT, machine_code: &[] };

const TEXT: &str = "
.version 7.0
.target sm_75
.address_size 64
.extern .shared .align 16 .b8 dyn_smem[];
.visible .entry add_index(.param .align 8 .b8 words[16])
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .b64 %d<6>;
    ld.param.u64 %d1, [words];
    ld.param.u64 %d2, [words+8];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    cvt.u64.u32 %d3, %r4;
    setp.ge.u64 %p1, %d3, %d2;
    @%p1 bra done;
    shl.b64 %d4, %d3, 2;
    add.u64 %d5, %d1, %d4;
    ld.global.u32 %r5, [%d5];
    add.u32 %r5, %r5, %r4;
    st.global.u32 [%d5], %r5;
done:
    ret;
}
";

/// The first GPU with this file's kernel, or `None`, said aloud, where there is none.
fn gpu() -> Option<Arc<Cuda>> {
    open(&PTX)
}

/// The first GPU with the kernels of `ptx`, or `None`, said aloud, where there is none.
pub fn open(ptx: &'static [Ptx]) -> Option<Arc<Cuda>> {
    match Opening::start(0, ptx, "").finish() {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            assert!(std::env::var("WARPSEQ_REQUIRE_GPU").is_err(), "{error}");
            println!("skipped: {error}");
            None
        }
    }
}

#[test]
fn words_go_in_are_changed_and_come_out() {
    let Some(gpu) = gpu() else { return };
    assert!(gpu.name().starts_with("cuda:0 (") && gpu.multiprocessors() > 0 && gpu.free_memory().unwrap() > 0);
    const LEN: usize = 100_000;
    let (copies, kernels) = (Stream::new(&gpu).unwrap(), Stream::new(&gpu).unwrap());
    let array = DeviceArray::new(&gpu, LEN).unwrap();
    let (mut sent, mut came) = (Pinned::<u32, _>::new(&gpu, LEN).unwrap(), Pinned::<u32, _>::new(&gpu, LEN).unwrap());
    assert!(came.read().unwrap().iter().all(|&word| word == 0));
    sent.write().unwrap().iter_mut().enumerate().for_each(|(k, word)| *word = 3 * k as u32);
    let shape = Shape { grid: LEN.div_ceil(256) as u32, block: 256, shared: gpu.shared_memory() };
    let before = kernels.record().unwrap();
    sent.copy_to(&copies, 0..LEN, &array, 0).unwrap();
    array.fill(&copies, 0..10, 0).unwrap();
    kernels.wait_for(&copies.record().unwrap()).unwrap();
    // SAFETY: the kernel takes `Words`, and stays inside the view in a launch of any shape.
    unsafe { kernels.launch(&ADD_INDEX, shape, Words { words: array.view_mut() }) }.unwrap();
    came.copy_from(&kernels, 0..LEN, &array, 0).unwrap();
    let after = kernels.record().unwrap();
    drop(array);
    let came = came.read().unwrap();
    assert!(gpu.milliseconds(&before, &after).unwrap() > 0.0);
    assert!(came.iter().enumerate().all(|(k, &word)| word == if k < 10 { k } else { 4 * k } as u32));
}

#[test]
fn refusals_say_what_was_asked_and_harm_nothing() {
    let Some(gpu) = gpu() else { return };
    assert!(matches!(gpu.allocate(1 << 46), Err(DeviceError::OutOfMemory { bytes, .. }) if bytes == 1 << 46));
    let stream = Stream::new(&gpu).unwrap();
    let shape = Shape { grid: 1, block: 32, shared: 0 };
    let nothing = Words { words: GlobalMut::empty() };
    // SAFETY: the kernel does not exist, or asks for more than the GPU has: neither runs.
    let (absent, greedy) = unsafe {
        let greedy = Shape { shared: gpu.shared_memory() + 1024, ..shape };
        (stream.launch(&ABSENT, shape, nothing), stream.launch(&ADD_INDEX, greedy, nothing))
    };
    assert!(matches!(absent, Err(DeviceError::Driver { code: 500, kernel: Some("absent"), .. })), "{absent:?}");
    assert!(matches!(greedy, Err(DeviceError::Driver { kernel: Some("add_index"), .. })), "{greedy:?}");
    std::thread::scope(|scope| scope.spawn(|| stream.synchronize().unwrap()).join().unwrap());
}

#[test]
fn the_compilers_complaint_reaches_the_user() {
    if gpu().is_none() {
        return;
    }
    let Err(DeviceError::Unavailable(text)) = Opening::start(0, &BROKEN, "").finish() else { panic!("it compiled") };
    assert!(text.contains("CUDA_ERROR_INVALID_PTX (218)") && text.contains("line 4"), "{text}");
}

#[test]
fn where_machine_code_is_refused_the_text_is_compiled() {
    let Some(gpu) = open(&REFUSED) else { return };
    let stream = Stream::new(&gpu).unwrap();
    let array = DeviceArray::<u32, _>::new(&gpu, 32).unwrap();
    array.fill(&stream, 0..32, 0).unwrap();
    let shape = Shape { grid: 1, block: 32, shared: 0 };
    // SAFETY: the kernel takes `Words`, and stays inside the view in a launch of any shape.
    unsafe { stream.launch(&ADD_INDEX, shape, Words { words: array.view_mut() }) }.unwrap();
    let mut came = [0; 32];
    array.read(&stream, 0, &mut came).unwrap();
    assert!(came.into_iter().eq(0..32));
}

#[test]
fn a_fault_names_the_kernel_and_drops_quietly() {
    let program = std::env::current_exe().unwrap();
    let name = "cuda_host::a_process_that_meets_a_fault";
    let child = Command::new(program).args(["--exact", name, "--ignored", "--nocapture"]).output().unwrap();
    let text = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() && text.contains("1 passed"), "{text}");
    print!("{text}");
}

/// A fault ends the use of the GPU for its whole process, so it gets a process of its own.
#[test]
#[ignore = "started by a_fault_names_the_kernel_and_drops_quietly"]
fn a_process_that_meets_a_fault() {
    let Some(gpu) = gpu() else { return };
    let stream = Stream::new(&gpu).unwrap();
    let _memory = Pinned::<u32, _>::new(&gpu, 10).unwrap();
    // SAFETY: no memory is at address 0, which makes the fault that this test is about; the kernel reaches nothing of ours.
    let words = unsafe { GlobalMut::from_raw(0, 1) };
    // SAFETY: as for the view.
    unsafe { stream.launch(&ADD_INDEX, Shape { grid: 1, block: 32, shared: 0 }, Words { words }) }.unwrap();
    let error = stream.synchronize().unwrap_err();
    assert!(matches!(error, DeviceError::Driver { code: 700, kernel: Some("add_index"), .. }), "{error}");
    assert_eq!(gpu.stream().err(), Some(error.clone()));
    assert_eq!(gpu.allocate(10), Err(error));
}
