/** The contract of transports over a real server, for the variants that transports.test.ts leaves out. */
import { describeTransportVariants } from './fixtures/transport-variants.ts'

describeTransportVariants('other')
