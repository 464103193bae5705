//! NumPy's file format for one array, as far as routes need it: rows of floats.
//!
//! Reads versions 1.0 to 3.0 of the format, little-endian float64 and float32, C and Fortran order. Never allocates more than
//! the bytes it was given justify. Writes version 1.0, which every NumPy reads.

use thiserror::Error;

const MAGIC: &[u8] = b"\x93NUMPY";
/// The data begins at a multiple of this.
const ALIGNMENT: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NpyError {
    #[error("it is not a NumPy file")]
    NotNumpy,
    #[error("version {0}.{1} of the NumPy format is unknown")]
    Version(u8, u8),
    #[error("the header of the NumPy file cannot be read: {0}")]
    Header(&'static str),
    #[error("the array holds values of type {0}; float64 or float32, little-endian, is needed")]
    Type(String),
    #[error("the array must have two dimensions")]
    Dimensions,
    #[error("the array needs {needed} bytes of data, the file holds {found}")]
    Size { needed: u64, found: u64 },
}

/// Rows and columns; `values` in row order.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    pub rows: usize,
    pub columns: usize,
    pub values: Vec<f64>,
}

impl Table {
    pub fn row(&self, index: usize) -> &[f64] {
        &self.values[index * self.columns..(index + 1) * self.columns]
    }
}

pub fn read(bytes: &[u8]) -> Result<Table, NpyError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(NpyError::NotNumpy)?;
    let (version, rest) = rest.split_at_checked(2).ok_or(NpyError::NotNumpy)?;
    let short = NpyError::Header("the file ends in it");
    let (length, rest) = match version {
        [1, 0] => {
            let (field, rest) = rest.split_first_chunk().ok_or(short.clone())?;
            (usize::from(u16::from_le_bytes(*field)), rest)
        }
        [2 | 3, 0] => {
            let (field, rest) = rest.split_first_chunk().ok_or(short.clone())?;
            (u32::from_le_bytes(*field) as usize, rest)
        }
        other => return Err(NpyError::Version(other[0], other[1])),
    };
    let (header, data) = rest.split_at_checked(length).ok_or(short)?;
    let header = Header::parse(header)?;
    let (rows, columns) = header.shape;
    let width = header.width;
    let needed = (rows as u64).checked_mul(columns as u64).and_then(|count| count.checked_mul(width as u64));
    let needed = needed.ok_or(NpyError::Header("its shape is too large"))?;
    if needed != data.len() as u64 {
        return Err(NpyError::Size { needed, found: data.len() as u64 });
    }
    let value = |index: usize| {
        let cell = &data[index * width..(index + 1) * width];
        match cell.try_into() {
            Ok(double) => f64::from_le_bytes(double),
            Err(_) => f64::from(f32::from_le_bytes(cell.try_into().expect("the width is 8 or 4"))),
        }
    };
    let values = if header.fortran_order {
        (0..rows * columns).map(|at| value(at % columns * rows + at / columns)).collect()
    } else {
        (0..rows * columns).map(value).collect()
    };
    Ok(Table { rows, columns, values })
}

/// The table as float64 in C order.
pub fn write(table: &Table) -> Vec<u8> {
    let mut header =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", table.rows, table.columns);
    let unpadded = MAGIC.len() + 2 + 2 + header.len() + 1;
    header.push_str(&" ".repeat(unpadded.next_multiple_of(ALIGNMENT) - unpadded));
    header.push('\n');
    let length = u16::try_from(header.len()).expect("two numbers fit into 65535 characters");
    let mut bytes = Vec::with_capacity(unpadded + ALIGNMENT + table.values.len() * 8);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&[1, 0]);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    for value in &table.values {
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    bytes
}

struct Header {
    /// Bytes of one value: 8 or 4.
    width: usize,
    fortran_order: bool,
    shape: (usize, usize),
}

impl Header {
    /// The header is a Python dict literal with three keys in any order.
    fn parse(text: &[u8]) -> Result<Self, NpyError> {
        let text = std::str::from_utf8(text).map_err(|_| NpyError::Header("it is not text"))?;
        let mut reader = Literal(text.trim());
        let (mut width, mut fortran_order, mut shape) = (None, None, None);
        reader.expect('{')?;
        while !reader.take('}') {
            let key = reader.string()?;
            reader.expect(':')?;
            match key {
                "descr" => width = Some(width_of(&mut reader)?),
                "fortran_order" => fortran_order = Some(reader.boolean()?),
                "shape" => shape = Some(reader.shape()?),
                _ => return Err(NpyError::Header("it has an unknown key")),
            }
            if !reader.take(',') {
                reader.expect('}')?;
                break;
            }
        }
        if !reader.0.is_empty() {
            return Err(NpyError::Header("something follows the end of the description"));
        }
        let missing = NpyError::Header("one of descr, fortran_order and shape is missing");
        match (width, fortran_order, shape) {
            (Some(width), Some(fortran_order), Some(shape)) => Ok(Self { width, fortran_order, shape }),
            _ => Err(missing),
        }
    }
}

fn width_of(reader: &mut Literal<'_>) -> Result<usize, NpyError> {
    if reader.0.starts_with('[') {
        return Err(NpyError::Type("record".into()));
    }
    match reader.string()? {
        "<f8" => Ok(8),
        "<f4" => Ok(4),
        other => Err(NpyError::Type(other.chars().take(16).flat_map(char::escape_default).collect())),
    }
}

/// What is left of the text to read; never begins with a space.
struct Literal<'a>(&'a str);

impl<'a> Literal<'a> {
    fn take(&mut self, c: char) -> bool {
        match self.0.strip_prefix(c) {
            Some(rest) => {
                self.0 = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, c: char) -> Result<(), NpyError> {
        if self.take(c) { Ok(()) } else { Err(NpyError::Header("it is not a Python dict")) }
    }

    fn string(&mut self) -> Result<&'a str, NpyError> {
        let bad = NpyError::Header("a text in it has no end");
        let quote = self.0.chars().next().filter(|c| matches!(c, '\'' | '"')).ok_or(bad.clone())?;
        let (text, rest) = self.0[1..].split_once(quote).ok_or(bad)?;
        self.0 = rest.trim_start();
        Ok(text)
    }

    fn boolean(&mut self) -> Result<bool, NpyError> {
        for (word, value) in [("True", true), ("False", false)] {
            if let Some(rest) = self.0.strip_prefix(word) {
                self.0 = rest.trim_start();
                return Ok(value);
            }
        }
        Err(NpyError::Header("fortran_order is neither True nor False"))
    }

    fn shape(&mut self) -> Result<(usize, usize), NpyError> {
        let end = self.0.find(')').ok_or(NpyError::Header("the shape has no end"))?;
        let inside = self.0[..end].strip_prefix('(').ok_or(NpyError::Header("the shape is not a tuple"))?;
        let mut sizes = Vec::new();
        for size in inside.split(',').map(str::trim).filter(|size| !size.is_empty()) {
            // Python 2 wrote its long numbers with an L.
            let digits = size.strip_suffix('L').unwrap_or(size);
            sizes.push(digits.parse().map_err(|_| NpyError::Header("the shape holds something else than numbers"))?);
        }
        self.0 = self.0[end + 1..].trim_start();
        match sizes[..] {
            [rows, columns] => Ok((rows, columns)),
            _ => Err(NpyError::Dimensions),
        }
    }
}
