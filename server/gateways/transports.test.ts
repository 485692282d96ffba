/** The contract of transports over a real server; transports.long.test.ts has the other variants. */
import { describeTransportVariants } from './fixtures/transport-variants.ts'

describeTransportVariants('representative')
