//! Asks a type what it is made of, by deserializing it from nothing.
//!
//! serde's derived code asks for one field after the other and says of what kind it must be. The recorder writes that down and hands
//! out a different value each time, so that besides the shape there is a sample whose fields can be told apart.

use std::fmt;

use serde::de::{self, DeserializeOwned, DeserializeSeed, SeqAccess, Visitor};

/// What a field is.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A plain value, by its ROS name.
    Plain(&'static str),
    List(Box<Shape>),
    Array(Box<Shape>, usize),
    Struct {
        name: &'static str,
        fields: Vec<(&'static str, Shape)>,
    },
}

impl Shape {
    /// As a definition would write it, without the package. An array of arrays is one array on the wire, and in ROS.
    pub fn ros_type(&self) -> String {
        match self {
            Shape::Plain(name) => name.to_string(),
            Shape::Struct { name, .. } => name.to_string(),
            Shape::List(element) => format!("{}[]", element.ros_type()),
            Shape::Array(element, len) => match &**element {
                Shape::Array(inner, inner_len) => Shape::Array(inner.clone(), len * inner_len).ros_type(),
                element => format!("{}[{len}]", element.ros_type()),
            },
        }
    }

    /// Names and types of the fields, in order.
    pub fn fields(&self) -> Vec<(String, String)> {
        match self {
            Shape::Struct { fields, .. } => {
                fields.iter().map(|(name, shape)| (name.to_string(), shape.ros_type())).collect()
            }
            shape => panic!("{shape:?} is not a struct"),
        }
    }
}

/// The shape of a type and a sample of it, in which no two values are alike as far as their types allow.
pub fn record<T: DeserializeOwned>() -> (Shape, T) {
    let mut recorder = Recorder::default();
    let sample = T::deserialize(&mut recorder).expect("the recorder gives whatever is asked for");
    (recorder.take(), sample)
}

#[derive(Default)]
struct Recorder {
    given: u8,
    last: Option<Shape>,
}

impl Recorder {
    fn plain(&mut self, name: &'static str) -> u8 {
        self.last = Some(Shape::Plain(name));
        self.given = self.given % 100 + 2;
        self.given
    }

    fn take(&mut self) -> Shape {
        self.last.take().expect("something was asked for")
    }
}

macro_rules! number {
    ($method:ident, $visit:ident, $name:literal, $type:ty) => {
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
            let value = self.plain($name);
            visitor.$visit(value as $type)
        }
    };
}

macro_rules! refuse {
    ($($method:ident($($arg:ident: $type:ty),*)),+ $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self, $($arg: $type,)* _: V) -> Result<V::Value, Refused> {
            Err(Refused(concat!("ROS has nothing for ", stringify!($method)).into()))
        })+
    };
}

impl<'de> de::Deserializer<'de> for &mut Recorder {
    type Error = Refused;

    number!(deserialize_i8, visit_i8, "int8", i8);
    number!(deserialize_i16, visit_i16, "int16", i16);
    number!(deserialize_i32, visit_i32, "int32", i32);
    number!(deserialize_i64, visit_i64, "int64", i64);
    number!(deserialize_u8, visit_u8, "uint8", u8);
    number!(deserialize_u16, visit_u16, "uint16", u16);
    number!(deserialize_u32, visit_u32, "uint32", u32);
    number!(deserialize_u64, visit_u64, "uint64", u64);
    number!(deserialize_f32, visit_f32, "float32", f32);
    number!(deserialize_f64, visit_f64, "float64", f64);

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        self.plain("bool");
        visitor.visit_bool(true)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        let value = self.plain("string");
        visitor.visit_string(format!("text {value}"))
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        let value = self.plain("uint8[]");
        visitor.visit_byte_buf(vec![value; 3])
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        let mut elements = Elements { recorder: self, left: 2, element: None };
        let value = visitor.visit_seq(&mut elements)?;
        let element = elements.element.take().expect("a list reads its elements");
        self.last = Some(Shape::List(Box::new(element)));
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Refused> {
        let mut elements = Elements { recorder: self, left: len, element: None };
        let value = visitor.visit_seq(&mut elements)?;
        let element = elements.element.take().expect("an array reads its elements");
        self.last = Some(Shape::Array(Box::new(element), len));
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        let mut fields = Fields { recorder: self, names, read: Vec::new() };
        let value = visitor.visit_seq(&mut fields)?;
        let fields = fields.read;
        self.last = Some(Shape::Struct { name, fields });
        Ok(value)
    }

    refuse!(
        deserialize_any(),
        deserialize_char(),
        deserialize_str(),
        deserialize_bytes(),
        deserialize_option(),
        deserialize_unit(),
        deserialize_unit_struct(_name: &'static str),
        deserialize_newtype_struct(_name: &'static str),
        deserialize_tuple_struct(_name: &'static str, _len: usize),
        deserialize_map(),
        deserialize_enum(_name: &'static str, _variants: &'static [&'static str]),
        deserialize_identifier(),
        deserialize_ignored_any(),
    );
}

struct Elements<'a> {
    recorder: &'a mut Recorder,
    left: usize,
    element: Option<Shape>,
}

impl<'de> SeqAccess<'de> for &mut Elements<'_> {
    type Error = Refused;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refused> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let value = seed.deserialize(&mut *self.recorder)?;
        self.element = Some(self.recorder.take());
        Ok(Some(value))
    }
}

struct Fields<'a> {
    recorder: &'a mut Recorder,
    names: &'static [&'static str],
    read: Vec<(&'static str, Shape)>,
}

impl<'de> SeqAccess<'de> for &mut Fields<'_> {
    type Error = Refused;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refused> {
        let Some(name) = self.names.get(self.read.len()) else { return Ok(None) };
        let value = seed.deserialize(&mut *self.recorder)?;
        let shape = self.recorder.take();
        self.read.push((name, shape));
        Ok(Some(value))
    }
}

/// A type that cannot be told in ROS.
#[derive(Debug)]
pub struct Refused(String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

impl de::Error for Refused {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}
