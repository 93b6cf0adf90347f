package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// IsGenuine reports whether we sent this delivery less than five minutes ago.
// id, timestamp and signature are the headers webhook-id, webhook-timestamp and
// webhook-signature; body is the raw body, exactly as it arrived. Pass time.Now().
func IsGenuine(secret, id, timestamp, signature string, body []byte, now time.Time) bool {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false
	}
	if age := now.Sub(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	for _, one := range strings.Split(signature, " ") {
		value, isV1 := strings.CutPrefix(one, "v1,")
		if !isV1 {
			continue
		}
		given, err := base64.StdEncoding.DecodeString(value)
		if err == nil && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}
