import { describeBlock } from '../block.contract.ts'
import { caption } from './caption.ts'

describeBlock(caption)
