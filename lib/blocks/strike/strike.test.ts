import { describeMark } from '../mark.contract.ts'
import { strike } from './strike.ts'

describeMark(strike)
