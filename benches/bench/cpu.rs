//! How much CPU time something takes, which other programs on the machine do not change much.

use std::time::{Duration, Instant};

/// Wall time and the CPU time of the calling thread.
#[derive(Debug, Clone, Copy)]
pub struct Took {
    pub wall: Duration,
    pub cpu: Duration,
}

/// Runs it once; for work of a tenth of a second and more, because the kernel counts in ticks.
pub fn measure<T>(work: impl FnOnce() -> T) -> (T, Took) {
    let (started, before) = (Instant::now(), of_this_thread());
    let done = work();
    (done, Took { wall: started.elapsed(), cpu: of_this_thread().saturating_sub(before) })
}

/// The kernel's count of nanoseconds on a processor.
fn of_this_thread() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts the time of threads");
    let nanos = text.split_whitespace().next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanos.expect("the first number is the time on a processor"))
}

impl Took {
    /// How many times faster than `simulated_s` seconds it was, by its CPU time.
    pub fn times_real(&self, simulated_s: f64) -> f64 {
        simulated_s / self.cpu.as_secs_f64()
    }

    /// The same as text, with the factor by wall time in brackets.
    pub fn factors(&self, simulated_s: f64) -> String {
        format!("{:.0} x (wall {:.0} x)", self.times_real(simulated_s), simulated_s / self.wall.as_secs_f64())
    }
}
