import { describeCutLog } from './cut-log.contract.ts'

describeCutLog({ runs: 10, cuts: 5 })
