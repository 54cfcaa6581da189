//! The tensors of a file of weights: each looked up by its name and checked, as numbers or as rows of bytes.

use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use crate::embed::encoder_error::EncoderFault;

/// The name of a tensor of scales, after that of the tensor whose rows they belong to.
const SCALE: &str = ".scale";
/// The greatest absolute value of a rounded weight.
const ROUNDED_MAX: f32 = 127.0;

/// The tensors of a file.
pub(super) struct Tensors<'a>(SafeTensors<'a>);

/// Numbers in rows, each rounded to eight bits: a number is its byte times its row's scale.
#[derive(Debug)]
pub(super) struct Rows {
    /// Bytes, row after row.
    bytes: Vec<i8>,
    /// One for each row.
    scales: Vec<f32>,
    /// Numbers in a row.
    width: usize,
}

impl Rows {
    /// The bytes of row `row`, and its scale.
    pub(super) fn row(&self, row: usize) -> (&[i8], f32) {
        (&self.bytes[row * self.width..][..self.width], self.scales[row])
    }

    /// Returns all rows, each with its scale.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[i8], f32)> {
        self.bytes.chunks_exact(self.width).zip(self.scales.iter().copied())
    }

    /// Bytes held on the heap.
    pub(super) fn size_bytes(&self) -> usize {
        self.bytes.len() + size_of_val(&*self.scales)
    }

    /// `numbers`, in rows of `width`, rounded: the greatest of a row becomes [`ROUNDED_MAX`].
    fn rounded(numbers: &[f32], width: usize) -> Self {
        let (mut bytes, mut scales) = (Vec::with_capacity(numbers.len()), Vec::new());
        for row in numbers.chunks_exact(width) {
            let greatest = row.iter().fold(0.0, |greatest: f32, number| greatest.max(number.abs()));
            let scale = greatest.max(1e-9) / ROUNDED_MAX;
            bytes.extend(row.iter().map(|number| (number / scale).round_ties_even() as i8));
            scales.push(scale);
        }
        Self { bytes, scales, width }
    }
}

impl<'a> Tensors<'a> {
    /// The tensors of a safetensors file.
    ///
    /// # Errors
    /// Returns an error if it is none.
    pub(super) fn parse(file: &'a [u8]) -> Result<Self, EncoderFault> {
        SafeTensors::deserialize(file).map(Self).map_err(EncoderFault::Container)
    }

    /// Whether there is a tensor `name`.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.tensor(name).is_ok()
    }

    /// The shape of the tensor `name`, which has two dimensions, neither of them 0.
    ///
    /// # Errors
    /// Returns an error if there is no such tensor.
    pub(super) fn shape(&self, name: &str) -> Result<[usize; 2], EncoderFault> {
        let tensor = self.tensor(name)?;
        match *tensor.shape() {
            [rows, width] if rows > 0 && width > 0 => Ok([rows, width]),
            _ => Err(unlike(name, &tensor, "[rows, width]".to_owned())),
        }
    }

    /// The numbers of the tensor `name`, row after row: `F32`, or `I8` with a scale for each row.
    ///
    /// # Errors
    /// Returns an error if there is no such tensor of this shape, or one of its numbers cannot be used.
    pub(super) fn numbers(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EncoderFault> {
        let tensor = self.tensor(name)?;
        match (tensor.dtype(), shape) {
            (Dtype::I8, &[rows, width]) => {
                let rows = self.rows(name, [rows, width])?;
                let numbers = |(row, scale): (&[i8], f32)| {
                    row.iter().map(|&byte| f32::from(byte) * scale).collect::<Vec<_>>()
                };
                Ok(rows.iter().flat_map(numbers).collect())
            }
            (Dtype::F32, _) if tensor.shape() == shape => {
                let (numbers, _) = tensor.data().as_chunks();
                let numbers: Vec<f32> = numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
                match numbers.iter().find(|number| !number.is_finite()) {
                    Some(&got) => Err(EncoderFault::Value { name: name.to_owned(), got }),
                    None => Ok(numbers),
                }
            }
            _ => Err(unlike(name, &tensor, format!("F32 {shape:?}"))),
        }
    }

    /// The rows of the tensor `name`: `I8` with a scale for each row, or `F32`, which is rounded.
    ///
    /// # Errors
    /// Returns an error if there is no such tensor of this shape, or one of its numbers cannot be used.
    pub(super) fn rows(&self, name: &str, shape: [usize; 2]) -> Result<Rows, EncoderFault> {
        let tensor = self.tensor(name)?;
        let [rows, width] = shape;
        match tensor.dtype() {
            Dtype::I8 if tensor.shape() == shape => {
                let name_of_scales = format!("{name}{SCALE}");
                let scales = self.numbers(&name_of_scales, &[rows])?;
                if let Some(&got) = scales.iter().find(|scale| **scale <= 0.0) {
                    return Err(EncoderFault::Value { name: name_of_scales, got });
                }
                Ok(Rows {
                    bytes: tensor.data().iter().map(|byte| byte.cast_signed()).collect(),
                    scales,
                    width,
                })
            }
            Dtype::F32 => Ok(Rows::rounded(&self.numbers(name, &shape)?, width)),
            _ => Err(unlike(name, &tensor, format!("I8 or F32 {shape:?}"))),
        }
    }

    fn tensor(&self, name: &str) -> Result<TensorView<'a>, EncoderFault> {
        self.0.tensor(name).map_err(|_| EncoderFault::Missing { name: name.to_owned() })
    }
}

fn unlike(name: &str, tensor: &TensorView<'_>, expected: String) -> EncoderFault {
    let got = format!("{:?} {:?}", tensor.dtype(), tensor.shape());
    EncoderFault::Tensor { name: name.to_owned(), expected, got }
}
