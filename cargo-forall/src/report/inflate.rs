//! Decompression: the compiler compresses lists of file names.

/// Decompresses data in the DEFLATE format (RFC 1951), of this length.
pub fn inflated(data: &[u8], length: usize) -> Option<Vec<u8>> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let mut bits = Bits { data, at: 0 };
    let mut out: Vec<u8> = Vec::new();
    loop {
        let (is_last, kind) = (bits.take(1)? == 1, bits.take(2)?);
        if kind == 0 {
            let start = bits.at.div_ceil(8) + 4;
            let many = usize::from(u16::from_le_bytes(*data.get(start - 4..)?.first_chunk()?));
            out.extend(data.get(start..start + many)?);
            bits.at = (start + many) * 8;
        } else {
            let (literals, distances) = if kind == 1 {
                let length = |symbol| {
                    [8, 9, 7, 8][usize::from(symbol >= 144) + usize::from(symbol >= 256) + usize::from(symbol >= 280)]
                };
                (Codes::new((0..288).map(length).collect()), Codes::new(vec![5; 30]))
            } else {
                let (literals, distances, number) = (bits.take(5)? + 257, bits.take(5)? + 1, bits.take(4)? + 4);
                let mut lengths = vec![0; 19];
                for &at in &ORDER[..number] {
                    lengths[at] = bits.take(3)?;
                }
                let codes = Codes::new(lengths);
                let mut lengths = Vec::new();
                while lengths.len() < literals + distances {
                    let (length, times) = match codes.symbol(&mut bits)? {
                        16 => (*lengths.last()?, bits.take(2)? + 3),
                        17 => (0, bits.take(3)? + 3),
                        18 => (0, bits.take(7)? + 11),
                        length => (length, 1),
                    };
                    lengths.extend(std::iter::repeat_n(length, times));
                }
                let distances = lengths.split_off(literals);
                (Codes::new(lengths), Codes::new(distances))
            };
            loop {
                let symbol = literals.symbol(&mut bits)?;
                match symbol {
                    0..256 => out.push(symbol as u8),
                    256 => break,
                    _ => {
                        // Four codes for each number of additional bits.
                        let long = |code: usize, each: usize| (code / each).saturating_sub(1);
                        let base = |code: usize, each: usize| match code / each {
                            0 => code,
                            bits => (each + code % each) << (bits - 1),
                        };
                        let length = match symbol - 257 {
                            28 => 258,
                            code => 3 + base(code, 4) + bits.take(long(code, 4))?,
                        };
                        let code = distances.symbol(&mut bits)?;
                        let distance = 1 + base(code, 2) + bits.take(long(code, 2))?;
                        let start = out.len().checked_sub(distance)?;
                        for at in start..start + length {
                            out.push(out[at]);
                        }
                    }
                }
            }
        }
        if is_last {
            return Some(out).filter(|out| out.len() == length);
        }
    }
}

/// Bits that are read from the lowest of each byte.
struct Bits<'a> {
    data: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, number: usize) -> Option<usize> {
        let mut taken = 0;
        for place in 0..number {
            taken |= (usize::from(*self.data.get(self.at / 8)?) >> (self.at % 8) & 1) << place;
            self.at += 1;
        }
        Some(taken)
    }
}

/// The symbols of a Huffman code, by the lengths of their codes.
struct Codes {
    /// The number of codes of each length.
    counts: [usize; 16],
    /// The symbols in the order of their codes.
    symbols: Vec<usize>,
}

impl Codes {
    fn new(lengths: Vec<usize>) -> Self {
        let mut counts = [0; 16];
        for &length in &lengths {
            counts[length] += usize::from(length > 0);
        }
        let mut symbols: Vec<usize> = (0..lengths.len()).filter(|&symbol| lengths[symbol] > 0).collect();
        symbols.sort_by_key(|&symbol| lengths[symbol]);
        Self { counts, symbols }
    }

    fn symbol(&self, bits: &mut Bits<'_>) -> Option<usize> {
        let (mut code, mut first, mut index) = (0, 0, 0);
        for count in &self.counts[1..] {
            code |= bits.take(1)?;
            if code < first + count {
                return self.symbols.get(index + code - first).copied();
            }
            (index, first) = (index + count, (first + count) << 1);
            code <<= 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::inflated;

    #[test]
    fn compressed_data_is_unpacked() {
        assert_eq!(inflated(b"\x01\x03\x00\xfc\xffabc", 3).unwrap(), b"abc", "stored");
        let fixed = b"\x4b\x4c\x4a\x4e\x04\x23\x00";
        assert_eq!(inflated(fixed, 9).unwrap(), b"abcabcabc", "fixed codes");
        assert_eq!(inflated(fixed, 8), None, "another length");
        assert_eq!(inflated(&fixed[..3], 9), None, "truncated");
        let mut state = 1_u32;
        let letters = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345) & 0x7fff_ffff;
            b"aaaaaaaabbbbccde"[(state >> 16) as usize % 16]
        });
        let own = b"\
              \x45\x90\xd1\x11\x04\x31\x08\x42\x6b\x05\xb4\xff\x16\x0e\xd4\xec\xf9\x91\x18\x85\xe7\x18\x14\x48\
              \x82\x80\x5a\x02\xd0\xa8\x1c\x0e\xd7\xe5\x56\x7a\xa0\xb6\x13\xa9\x73\xa2\x9a\xec\x9e\x92\xc4\x8a\
              \xa8\x44\xd5\x3a\xfb\x99\x0c\x08\x02\x42\x73\x99\xd1\xb9\x9b\x51\x33\x27\x34\xae\x36\x47\x8d\xd5\
              \x00\xc5\x64\x34\x54\xd5\xc3\x5f\xc0\x32\x70\xbc\x17\xec\x2a\xd7\x6d\x63\x5d\x3f\x84\x6c\x00\x7e\
              \xce\x09\xbd\x34\xc9\x88\xad\xb1\x5b\xc3\xce\x24\xf1\xe4\x59\x71\x85\xf3\xae\xd6\xee\x84\x95\xdc\
              \x12\xbb\x56\xe7\x39\x57\xa6\xf6\x01\xfe\xaa\x58\x6f\xb4\xbf\x0e\xb3\x2e\x1f\x99\xdb\xf4\xcf\xff\
              \x00";
        assert_eq!(inflated(own, 400).unwrap(), letters.take(400).collect::<Vec<u8>>(), "own codes");
    }
}
