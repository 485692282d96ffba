import { describeMark } from '../mark.contract.ts'
import { underline } from './underline.ts'

describeMark(underline)
