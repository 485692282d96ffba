import { describeBlock } from '../block.contract.ts'
import { paragraph } from './paragraph.ts'

describeBlock(paragraph)
