/** The contract of transports over a real server; transports.long.test.ts has the others. */
import { describeVariants } from './transport-variants.ts'

describeVariants('representative')
