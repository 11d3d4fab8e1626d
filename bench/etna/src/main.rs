//! x
fn main() {
    use etna::*;
    use std::time::Duration;
    let args: Vec<String> = std::env::args().collect();
    let workload = Workload::named(&args[1]).unwrap();
    let strategy = Strategy::named(&args[2]).unwrap();
    let trials: u64 = args[3].parse().unwrap();
    let cap: u64 = args[4].parse().unwrap();
    let filter = args.get(5).cloned().unwrap_or_default();
    let mut all = 0;
    let mut n = 0;
    let mut most = 0;
    let mut cpus = vec![];
    for task in (workload.tasks)() {
        if !format!("{}/{}", task.mutant, task.property).contains(&filter) {
            continue;
        }
        n += 1;
        let mut solved = 0;
        let mut ev = vec![];
        let mut cpu = Duration::ZERO;
        for trial in 0..trials {
            let property = (workload.property)(task.property, strategy);
            let before = clock::cpu_time();
            let s = workload.with_mutant(Some(task.mutant), || {
                (runner::RUNNERS[0].run)(&*property, trial, &runner::Budget { evaluations: cap, until: None })
            });
            cpu += clock::cpu_time() - before;
            solved += s.solved as u64;
            ev.push(s.evaluations);
        }
        ev.sort();
        if solved == trials {
            all += 1;
        }
        if solved * 2 > trials {
            most += 1;
        }
        cpus.push(cpu / trials as u32);
        if ev[ev.len() - 1] > 2000 || solved < trials || !filter.is_empty() {
            println!(
                "{:20} {:18} {}/{} med {} max {} {:?} {:?}/ev",
                task.mutant,
                task.property,
                solved,
                trials,
                ev[ev.len() / 2],
                ev[ev.len() - 1],
                cpu / trials as u32,
                cpu / ev.iter().sum::<u64>() as u32
            );
        }
    }
    cpus.sort();
    println!(
        "{} {}: {all} of {n} always, {most} mostly, median cpu {:?}",
        workload.name,
        strategy.name(),
        cpus[cpus.len() / 2]
    );
}
