package pack

// FNV-1a, 64 bits (Fowler, Noll, Vo).
const (
	FNVStart = 0xCBF29CE484222325 // hash of no bytes
	fnvPrime = 0x100000001B3
)

// FNV extends hash h by data. Start with [FNVStart]; pieces one after the other
// give the hash of their concatenation. It is a fingerprint against mistakes,
// not against forgery.
func FNV(h uint64, data []byte) uint64 {
	for len(data) >= 8 { // the multiplications form one chain: unrolling only saves the loop
		d := data[:8]
		h = (h ^ uint64(d[0])) * fnvPrime
		h = (h ^ uint64(d[1])) * fnvPrime
		h = (h ^ uint64(d[2])) * fnvPrime
		h = (h ^ uint64(d[3])) * fnvPrime
		h = (h ^ uint64(d[4])) * fnvPrime
		h = (h ^ uint64(d[5])) * fnvPrime
		h = (h ^ uint64(d[6])) * fnvPrime
		h = (h ^ uint64(d[7])) * fnvPrime
		data = data[8:]
	}
	for _, b := range data {
		h = (h ^ uint64(b)) * fnvPrime
	}
	return h
}

// Fingerprint is the FNV-1a hash of data.
func Fingerprint(data []byte) uint64 { return FNV(FNVStart, data) }
