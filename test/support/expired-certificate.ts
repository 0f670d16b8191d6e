/**
 * For tests only: a certificate of 127.0.0.1 and localhost that signed itself and was valid for one day of 2020, with its
 * key. A client that trusts it finds that it has expired; any other does not come that far.
 */
export const EXPIRED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjr0Ckc12UQx4C2JY
izN+KeY2po0PwnDYOvcTQ4DElMWhRANCAATldBsA/GQxn4pdiFdbdlBWWllSi6+y
0lEwsASkJIfuh5F5BIuvqHZ2zUGIfUYpVNSQkFFwRIn0sj33/LHqWajE
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBYjCCAQigAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAkxMjcuMC4w
LjEwHhcNMjAwMTAxMDAwMDAwWhcNMjAwMTAyMDAwMDAwWjAUMRIwEAYDVQQDDAkx
MjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATldBsA/GQxn4pdiFdb
dlBWWllSi6+y0lEwsASkJIfuh5F5BIuvqHZ2zUGIfUYpVNSQkFFwRIn0sj33/LHq
WajEo0swSTAaBgNVHREEEzARhwR/AAABgglsb2NhbGhvc3QwDAYDVR0TBAUwAwEB
/zAdBgNVHQ4EFgQUAxJDvGbxczzhbKPcyidmK1MvqIEwCgYIKoZIzj0EAwIDSAAw
RQIgQJnTvPQR3e0sYaTswvJGu4olmx2y8Sxblx0256UgTDICIQCj88SHT52Jis+H
viSR4yZSMsZqhXmy0O3D5B/cU5BnZA==
-----END CERTIFICATE-----
`
}
