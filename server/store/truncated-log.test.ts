import { describeTruncatedLog } from './truncated-log.contract.ts'

describeTruncatedLog({ runs: 10, cuts: 5 })
