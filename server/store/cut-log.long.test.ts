import { describeCutLog } from './cut-log.contract.ts'

describeCutLog({ runs: 40, cuts: 20 })
