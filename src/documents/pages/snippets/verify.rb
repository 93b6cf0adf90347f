require "openssl"

TOLERANCE_SECONDS = 5 * 60

# Returns true if we sent this delivery less than five minutes ago. id, timestamp
# and signature are the headers webhook-id, webhook-timestamp and
# webhook-signature. body is the raw body, exactly as it arrived.
def genuine?(secret, id, timestamp, signature, body, now: Time.now.to_i)
  return false unless timestamp.match?(/\A\d+\z/)
  return false if (now - timestamp.to_i).abs > TOLERANCE_SECONDS

  key = secret.delete_prefix("whsec_").unpack1("m0")
  signed = "#{id}.#{timestamp}.".b + body.b
  expected = [OpenSSL::HMAC.digest("SHA256", key, signed)].pack("m0")
  signature.split(" ").any? do |one|
    version, value = one.split(",", 2)
    version == "v1" && same?(value.to_s, expected)
  end
end

# Compares in constant time.
def same?(given, expected)
  given.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(given, expected)
end
