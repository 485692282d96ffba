import { describeTruncatedLog } from './truncated-log.contract.ts'

describeTruncatedLog({ runs: 40, cuts: 20 })
