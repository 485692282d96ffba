import { describeBlock } from '../block.contract.ts'
import { blockquote } from './blockquote.ts'

describeBlock(blockquote)
