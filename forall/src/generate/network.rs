//! Implementations of `Arbitrary` for network addresses: often the special ones (unspecified, loopback, broadcast,
//! private, documentation).

use super::{Arbitrary, Code};
use crate::choice::{Random, Source};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

const V4: [u32; 8] = [
    0x0000_0000, // unspecified
    0x7f00_0001, // loopback
    0xffff_ffff, // broadcast
    0x0a00_0001, // private
    0xc0a8_0001, // private
    0xa9fe_0001, // link local
    0xe000_0001, // multicast
    0xc000_0201, // documentation
];

const V6: [u128; 8] = [
    0,                                         // unspecified
    1,                                         // loopback
    u128::MAX,                                 // the last one, multicast
    0xffff_7f00_0001,                          // IPv4 loopback, mapped
    0xfe80_0000_0000_0000_0000_0000_0000_0001, // link local
    0xfc00_0000_0000_0000_0000_0000_0000_0001, // unique local
    0xff02_0000_0000_0000_0000_0000_0000_0001, // multicast
    0x2001_0db8_0000_0000_0000_0000_0000_0001, // documentation
];

/// The common part of these implementations: an equivalent number or tuple that is shrunk in its place.
macro_rules! address {
    ($($t:ident |$source:ident| $arbitrary:expr, |$it:ident| $parts:expr, $from:expr, $print:expr;)*) => {$(
        impl Arbitrary for $t {
            #[inline]
            fn arbitrary($source: &mut Source) -> Self {
                $arbitrary
            }

            #[inline]
            fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
                let $it = self;
                Box::new($parts.shrink().map($from).collect::<Vec<_>>().into_iter())
            }

            #[inline]
            fn duplicate(&self) -> Option<Self> {
                Some(*self)
            }

            #[inline]
            fn print(&self, code: &mut Code) {
                let $it = self;
                let print: fn(&$t, &mut Code) = $print;
                print($it, code);
            }
        }
    )*};
}

address! {
    Ipv4Addr |source| {
        let pick = |random: &mut Random, _| {
            let draw = random.draw();
            u64::from(if draw.selector >> 30 == 0 { V4[(draw.word & 7) as usize] } else { draw.word as u32 })
        };
        Ipv4Addr::from(source.choice_with(u64::from(u32::MAX), pick) as u32)
    },
    |it| it.to_bits(), Ipv4Addr::from, |it, code| {
        let [a, b, c, d] = it.octets();
        write!(code, "std::net::Ipv4Addr::new({a}, {b}, {c}, {d})");
    };

    Ipv6Addr |source| Ipv6Addr::from(super::integer::wide_choice(source, u128::MAX, |random, _| {
        let draw = random.draw();
        let low = random.word();
        if draw.selector >> 30 == 0 { V6[(low & 7) as usize] } else { u128::from(draw.word) << 64 | u128::from(low) }
    })),
    |it| it.to_bits(), Ipv6Addr::from, |it, code| {
        let parts = it.segments().map(|part| if part < 10 { part.to_string() } else { format!("{part:#x}") });
        write!(code, "std::net::Ipv6Addr::new({})", parts.join(", "));
    };

    SocketAddrV4 |source| SocketAddrV4::new(Ipv4Addr::arbitrary(source), u16::arbitrary(source)),
    |it| (*it.ip(), it.port()), |(ip, port)| SocketAddrV4::new(ip, port), |it, code| {
        code.list("std::net::SocketAddrV4::new(", [it.ip()], "");
        write!(code, ", {})", it.port());
    };

    SocketAddrV6 |source| {
        let (ip, port) = (Ipv6Addr::arbitrary(source), u16::arbitrary(source));
        // Flow and scope are nearly always 0 in practice.
        let (flow, scope) = if super::choose::something(source) { (0, 0) } else { <(u32, u32)>::arbitrary(source) };
        SocketAddrV6::new(ip, port, flow, scope)
    },
    |it| (*it.ip(), it.port(), it.flowinfo(), it.scope_id()),
    |(ip, port, flow, scope)| SocketAddrV6::new(ip, port, flow, scope), |it, code| {
        code.list("std::net::SocketAddrV6::new(", [it.ip()], "");
        write!(code, ", {}, {}, {})", it.port(), it.flowinfo(), it.scope_id());
    };
}

/// Addresses of either version.
macro_rules! either {
    ($($t:ident $v4:ident $v6:ident $path:literal;)*) => {$(
        impl Arbitrary for $t {
            #[inline]
            fn arbitrary(source: &mut Source) -> Self {
                if source.choice(1) == 0 { $t::V4($v4::arbitrary(source)) } else { $t::V6($v6::arbitrary(source)) }
            }

            #[inline]
            fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
                match self {
                    $t::V4(address) => Box::new(address.shrink().map($t::V4)),
                    $t::V6(address) => Box::new(address.shrink().map($t::V6)),
                }
            }

            #[inline]
            fn duplicate(&self) -> Option<Self> {
                Some(*self)
            }

            #[inline]
            fn print(&self, code: &mut Code) {
                match self {
                    $t::V4(address) => code.list(concat!($path, "::V4("), [address], ")"),
                    $t::V6(address) => code.list(concat!($path, "::V6("), [address], ")"),
                }
            }
        }
    )*};
}

either! {
    IpAddr Ipv4Addr Ipv6Addr "std::net::IpAddr";
    SocketAddr SocketAddrV4 SocketAddrV6 "std::net::SocketAddr";
}
