import fc from 'fast-check'
import { describeBlock } from '../block.contract.ts'
import { codeBlock } from './code-block.ts'

describeBlock(codeBlock, { attributes: fc.record({ language: fc.constantFrom(null, 'ts', 'c++', 'c#') }) })
