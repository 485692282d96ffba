/** Each client's clock after its last struct: what a state vector encodes. */
export type Clocks = ReadonlyMap<number, number>
