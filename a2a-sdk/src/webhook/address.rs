//! Which addresses a server must not be made to call.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is one of the public internet. Those that are not could be the server's own network.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let refused = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_broadcast()
        || address.is_documentation()
        // "this network", RFC 1122
        || a == 0
        // carrier-grade NAT, RFC 6598
        || (a == 100 && (64..128).contains(&b))
        // protocol assignments, RFC 6890
        || (a == 192 && b == 0 && c == 0)
        // 6to4 relays, RFC 7526
        || (a == 192 && b == 88 && c == 99)
        // benchmarking, RFC 2544
        || (a == 198 && (b == 18 || b == 19))
        // reserved, RFC 1112
        || a >= 240;
    !refused
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(embedded) = embedded_v4(address) {
        return is_public_v4(embedded);
    }
    let first = address.segments()[0];
    let refused = address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        // unique local, RFC 4193
        || (first & 0xfe00) == 0xfc00
        // link-local, and the site-local addresses that it replaced
        || (first & 0xff80) == 0xfe80
        // documentation, RFC 3849 and RFC 9637
        || (first == 0x2001 && address.segments()[1] == 0x0db8)
        || (first & 0xfff0) == 0x3ff0
        // Teredo and other assignments under 2001::/23
        || (first == 0x2001 && address.segments()[1] < 0x0200)
        // local NAT64, RFC 8215
        || (first == 0x0064 && address.segments()[1] == 0xff9b && address.segments()[2] == 1)
        // segment routing, RFC 9602
        || first == 0x5f00
        // discard only, RFC 6666
        || (first == 0x0100 && address.segments()[1..4] == [0, 0, 0]);
    !refused
}

/// The IPv4 address that an IPv6 address stands for: mapped, translated, compatible, NAT64 or 6to4.
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let segments = address.segments();
    let v4 = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match segments {
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0, 0, 0, 0, 0xffff, 0, high, low] => Some(v4(high, low)),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(v4(high, low)),
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 => Some(v4(high, low)),
        [0x2002, high, low, ..] => Some(v4(high, low)),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_no_public_network_are_known_in_every_form() {
        for address in [
            "127.0.0.1",
            "127.255.0.1",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "100.127.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "198.18.0.1",
            "198.19.9.9",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "192.88.99.1",
            "::1",
            "::",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001:db8::1",
            "3fff::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::10.0.0.1",
            "64:ff9b::169.254.169.254",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2002:a00:1::1",
            "2001::1",
            "100::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.0.1",
            "100.128.0.1",
            "172.32.0.1",
            "198.20.0.1",
            "2606:4700::1111",
            "64:ff9b::8.8.8.8",
            "2002:808:808::1",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }
}
