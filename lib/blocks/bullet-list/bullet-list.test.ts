import { describeBlock } from '../block.contract.ts'
import { bulletList } from './bullet-list.ts'

describeBlock(bulletList)
