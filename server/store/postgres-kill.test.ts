import { describePostgresKills } from './postgres-kill.contract.ts'

describePostgresKills(1)
