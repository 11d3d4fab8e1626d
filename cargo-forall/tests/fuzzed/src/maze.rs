//! A maze whose positions all take the same branches. The benchmark of coverage includes this file.

const MAZE: [&[u8; 11]; 9] = [
    b"###########",
    b"#...#...#.#",
    b"###.#.#.#.#",
    b"#.#...#...#",
    b"#.#######.#",
    b"#...#.....#",
    b"#.###.#####",
    b"#........E#",
    b"###########",
];

/// Whether a path of `N`, `S`, `W` and `E` leads from the upper left corner to the exit. Steps into walls are ignored; any other step ends
/// the path.
pub fn leads_out(path: &[u8]) -> bool {
    let (mut x, mut y) = (1, 1);
    for step in path {
        let (next_x, next_y) = match step {
            b'N' => (x, y - 1),
            b'S' => (x, y + 1),
            b'W' => (x - 1, y),
            b'E' => (x + 1, y),
            _ => return false,
        };
        match MAZE[next_y][next_x] {
            b'E' => return true,
            b'.' => (x, y) = (next_x, next_y),
            _ => {}
        }
    }
    false
}
