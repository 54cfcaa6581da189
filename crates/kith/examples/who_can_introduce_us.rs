//! Prints the warm paths to a person.
#![allow(clippy::print_stdout, reason = "its answers go there")]

use kith::{Network, TargetQuery};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(name)) = (arguments.next(), arguments.next()) else {
        return Err("usage: who_can_introduce_us SNAPSHOT NAME".into());
    };
    let network = Network::open(file)?;
    for path in network.paths(TargetQuery::Name(&name)).list().paths {
        println!("{:>3}  {} asks {}", path.warmness, path.from.name, path.connector.name);
    }
    Ok(())
}
