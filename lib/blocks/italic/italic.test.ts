import { describeMark } from '../mark.contract.ts'
import { italic } from './italic.ts'

describeMark(italic)
