import { describeBlock } from '../block.contract.ts'
import { lineBreak } from './line-break.ts'

describeBlock(lineBreak)
