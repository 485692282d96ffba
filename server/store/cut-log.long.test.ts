import { describeCutLog } from './cut-log.contract.ts'

describeCutLog({ runs: 100, cuts: 50 })
