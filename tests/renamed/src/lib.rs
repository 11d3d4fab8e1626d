//! Every macro of `forall`, in a crate that knows it as `prop`.

#[cfg(test)]
mod tests {
    use prop::prelude::*;

    #[derive(Arbitrary)]
    #[forall(crate = prop)]
    enum Tree<T> {
        Leaf,
        Branch(Box<Tree<T>>, #[forall(with = any())] T, Box<Tree<T>>),
    }

    impl<T> Tree<T> {
        fn leaves(&self) -> usize {
            match self {
                Tree::Leaf => 1,
                Tree::Branch(left, _, right) => left.leaves() + right.leaves(),
            }
        }
    }

    #[prop::property(crate = prop, tests = 50)]
    fn has_leaves(tree: Tree<u8>, #[forall(1..=tree.leaves())] n: usize) -> bool {
        note!("{n} leaves");
        n <= tree.leaves()
    }

    #[prop::test(crate = prop)]
    #[example(Tree::Leaf)]
    fn has_a_leaf(tree: Tree<u8>) {
        assume!(tree.leaves() < 1000);
        classify!(tree.leaves() > 1, "branched");
        cover!(1, true, "all");
        collect!(tree.leaves());
        tabulate!("leaves", tree.leaves());
        target!(tree.leaves() as f64);
        assert!(tree.leaves() > 0);
    }

    #[test]
    fn properties_are_values() {
        prop::check("leaves", &has_leaves::property());
        let property = property! {
            forall tree: Tree<bool>, contract tree.leaves() > 0;
            forall n in 0..tree.leaves(), shrink |n| 0..*n, print |n| n + 1;
            implies *n < 1000;
            check tree.leaves().to_string().parse::<usize>()? > *n
        };
        prop::check("renamed", &property);
        has_a_leaf::call(Tree::Leaf);
    }
}
