import { describeMark } from '../mark.contract.ts'
import { bold } from './bold.ts'

describeMark(bold)
