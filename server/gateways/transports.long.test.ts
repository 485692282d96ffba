/** The contract of transports over a real server, by the ways that transports.test.ts leaves out. */
import { describeTransportVariants } from './transport-variants.ts'

describeTransportVariants('other')
