import { describeMark } from '../mark.contract.ts'
import { subscript } from './subscript.ts'

describeMark(subscript)
