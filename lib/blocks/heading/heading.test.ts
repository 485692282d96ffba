import fc from 'fast-check'
import { describeBlock } from '../block.contract.ts'
import { heading } from './heading.ts'

describeBlock(heading, { attributes: fc.record({ level: fc.integer({ min: 1, max: 6 }) }) })
