import { describeBlock } from '../block.contract.ts'
import { listItem } from './list-item.ts'

describeBlock(listItem)
