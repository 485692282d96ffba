import { describeMark } from '../mark.contract.ts'
import { superscript } from './superscript.ts'

describeMark(superscript)
