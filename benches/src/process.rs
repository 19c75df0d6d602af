//! Processes and what they use.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server in a process of its own. It ends with this value.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Starts this program as a server of that kind; it prints its address.
    pub(crate) fn start(kind: &str) -> Self {
        let program = std::env::current_exe().expect("the program has a path");
        let mut child = Command::new(program)
            .args(["--serve", kind])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts again");
        let out = child.stdout.take().expect("its output is piped");
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("the server prints a line");
        let address = line.trim().parse().expect("the line is an address");
        Self { child, address }
    }

    /// The CPU time it has used.
    pub(crate) fn cpu(&self) -> Duration {
        let mut nanos = 0;
        for task in
            fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("the server runs").flatten()
        {
            let text = fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
            nanos += text.split(' ').next().and_then(|nanos| nanos.parse::<u64>().ok()).unwrap_or(0);
        }
        Duration::from_nanos(nanos)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// The memory this process holds, in bytes.
pub(crate) fn resident() -> usize {
    let text = fs::read_to_string("/proc/self/statm").expect("Linux tells the size of a process");
    let pages: usize =
        text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("a number of pages");
    pages * 4096
}
