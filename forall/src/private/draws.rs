//! A parameter `&mut Source` of the attributes: in the body, it is a [`Draws`]. A user's type called `Source` is not
//! affected: method resolution finds [`OfSource`] first, where it applies.

use crate::choice::Source;
use crate::property::Draws;

/// An argument on its way to the body.
pub struct InBody<T>(Option<T>);

impl<T> InBody<T> {
    pub fn new(argument: T) -> Self {
        Self(Some(argument))
    }
}

pub trait OfSource<'a> {
    fn in_body(self) -> Draws<'a>;
}

impl<'a> OfSource<'a> for InBody<&'a mut Source> {
    fn in_body(self) -> Draws<'a> {
        Draws::new(self.0.expect("it was given an argument"))
    }
}

pub trait OfAnother<T> {
    fn in_body(&mut self) -> T;
}

impl<T> OfAnother<T> for InBody<T> {
    fn in_body(&mut self) -> T {
        self.0.take().expect("it was given an argument")
    }
}

/// The body's argument: a reference, once.
pub trait Lend {
    type Lent;
    fn lend(&mut self) -> &mut Self::Lent;
}

impl<'a> Lend for Draws<'a> {
    type Lent = Draws<'a>;

    fn lend(&mut self) -> &mut Draws<'a> {
        self
    }
}

impl<T> Lend for &mut T {
    type Lent = T;

    fn lend(&mut self) -> &mut T {
        self
    }
}
