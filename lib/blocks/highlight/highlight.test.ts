import fc from 'fast-check'
import { describeMark } from '../mark.contract.ts'
import { highlight } from './highlight.ts'

describeMark(highlight, { attributes: fc.record({ color: fc.constantFrom(null, 'green', 'blue', 'pink') }) })
