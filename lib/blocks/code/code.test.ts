import { describeMark } from '../mark.contract.ts'
import { code } from './code.ts'

describeMark(code)
