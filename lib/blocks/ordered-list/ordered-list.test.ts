import fc from 'fast-check'
import { describeBlock } from '../block.contract.ts'
import { orderedList } from './ordered-list.ts'

describeBlock(orderedList, { attributes: fc.record({ start: fc.nat(9_999) }) })
