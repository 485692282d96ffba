/** The contract of transports over a real server; transports.long.test.ts has the others. */
import { describeTransportVariants } from './transport-variants.ts'

describeTransportVariants('representative')
