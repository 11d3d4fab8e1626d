-- Runs one program of Lazy SmallCheck 2012's own suite at one depth: `real redblack 4`. Compiled against a checkout of it.
module Main where

import qualified LSC2012.TestCatch
import qualified LSC2012.TestCircuits1
import qualified LSC2012.TestCircuits3
import qualified LSC2012.TestCountdown1
import qualified LSC2012.TestCountdown2
import qualified LSC2012.TestHuffman1
import qualified LSC2012.TestHuffman2
import qualified LSC2012.TestListSet1
import qualified LSC2012.TestMux2
import qualified LSC2012.TestRedBlack
import qualified LSC2012.TestRegExp
import System.Environment (getArgs)

main :: IO ()
main = do
  [program, depth] <- getArgs
  case lookup program programs of
    Just run -> run depth
    Nothing -> fail ("there is no program " ++ program)

programs :: [(String, String -> IO ())]
programs =
  [ ("catch", LSC2012.TestCatch.bench)
  , ("circuits1", LSC2012.TestCircuits1.bench)
  , ("circuits3", LSC2012.TestCircuits3.bench)
  , ("countdown1", LSC2012.TestCountdown1.bench)
  , ("countdown2", LSC2012.TestCountdown2.bench)
  , ("huffman1", LSC2012.TestHuffman1.bench)
  , ("huffman2", LSC2012.TestHuffman2.bench)
  , ("listset1", LSC2012.TestListSet1.bench)
  , ("mux2", LSC2012.TestMux2.bench)
  , ("redblack", LSC2012.TestRedBlack.bench)
  , ("regexp", LSC2012.TestRegExp.bench)
  ]
