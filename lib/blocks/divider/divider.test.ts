import { describeBlock } from '../block.contract.ts'
import { divider } from './divider.ts'

describeBlock(divider)
