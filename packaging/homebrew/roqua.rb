# A Homebrew formula that builds Roqua from its sources. NOT RUN YET: it was written before there
# was a release to download. The first run must fill in the address and the SHA-256 of the release's
# archive, and pass `brew audit --strict` and `brew test`.
class Roqua < Formula
  desc "Remembers where you have been: reads GPS tracks and shows what you explored"
  homepage "https://example.org/roqua"
  url "https://example.org/roqua/archive/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license all_of: ["MIT", "ODbL-1.0", "CC-BY-4.0"]

  depends_on xcode: ["26.0", :build] # Swift 6.2
  depends_on macos: :sequoia
  uses_from_macos "python" => :build # the manual pages
  uses_from_macos "swift" => :build
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  def install
    # Homebrew has a sandbox of its own, in which that of SwiftPM does not start.
    arguments = %w[-c release --product roqua --disable-sandbox]
    arguments << "--static-swift-stdlib" if OS.linux?
    system "swift", "build", *arguments
    binaries = Utils.safe_popen_read("swift", "build", *arguments, "--show-bin-path").chomp
    with_env(PREFIX: prefix) do
      system "scripts/install", "#{binaries}/roqua"
    end
    # Homebrew has a folder of its own for bash, and its own list of what it installed.
    bash_completion.install share/"bash-completion/completions/roqua"
    rm share/"doc/roqua/installed.txt"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/roqua --version")
    assert_match "Europe/Paris", shell_output("#{bin}/roqua where 48.5676 7.8010")
    refute_path_exists testpath/".local/share/roqua"
  end
end
